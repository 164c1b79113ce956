// An MCP server in this process, for packages that take a transport: its one tool `read` gives the result of the case.
//
//     const client = new Client({ name: "wirecanon", version: "1" });
//     await client.connect(server(result));

/** A transport to a server whose tool gives `result`. */
export function server(result) {
  const answers = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: "wirecanon", version: "1" },
    }),
    "tools/list": () => ({ tools: [{ name: "read", inputSchema: { type: "object", properties: {} } }] }),
    "tools/call": () => result,
  };
  const transport = {
    async start() {},
    async close() {},
    async send({ id, method, params }) {
      if (id === undefined) return;
      const said = answers[method] ? { result: answers[method](params) } : { error: { code: -32601, message: "unknown" } };
      setImmediate(() => transport.onmessage({ jsonrpc: "2.0", id, ...said }));
    },
  };
  return transport;
}
