/work/tmp/h2/sealui32000.json: ai-sdk.ui → ai-sdk.ui: nothing to mend
ai-sdk.ui own 32000 0.05s
