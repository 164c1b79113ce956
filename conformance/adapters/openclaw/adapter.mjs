// OpenClaw wants Node 24.

import { onNode } from "./wirecanon-node.mjs";

await onNode(24, () => import("./conversions.mjs"));
