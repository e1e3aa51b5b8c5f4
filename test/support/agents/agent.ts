import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect } from "vitest";

/** Answer of a tool. */
export interface ToolResult {
  readonly isError: boolean;
  /** `structuredContent`, which the text beside it repeats. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into results of all shapes.
  readonly result: any;
}

/** An agent with the official client library. */
export interface Agent {
  readonly client: Client;
  call(name: string, input?: object): Promise<ToolResult>;
  close(): Promise<void>;
}

/** `auto` speaks the newest revision of the protocol, `legacy` that of 2025. */
export type Age = "auto" | "legacy";

export async function connectAgent(
  url: string,
  token: string,
  { age = "auto", headers = {} }: { age?: Age; headers?: Record<string, string> } = {},
): Promise<Agent> {
  const client = new Client(
    { name: "agent of the tests", version: "1" },
    { versionNegotiation: { mode: age } },
  );
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/api/_service/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${token}`, ...headers } },
  });
  await client.connect(transport);
  return {
    client,
    async call(name, input = {}) {
      const answer = await client.callTool({ name, arguments: { ...input } });
      const { structuredContent, content, isError = false } = answer;
      const [first] = content as readonly { readonly type: string; readonly text?: string }[];
      expect(JSON.parse(first?.text ?? "")).toEqual(structuredContent);
      return { isError: isError === true, result: structuredContent };
    },
    close: () => client.close(),
  };
}
