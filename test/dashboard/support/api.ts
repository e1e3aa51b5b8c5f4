import type { Person, Stage } from "./stage.js";

/** Calls the API as somebody, past the dashboard, for what a journey finds there. */
export async function api(
  stage: Stage,
  as: Person,
): Promise<<Answer>(method: string, path: string, body?: object) => Promise<Answer>> {
  const token = await stage.cookieOf(as);
  return async <Answer>(method: string, path: string, body?: object) => {
    const response = await fetch(`${stage.app.url}/api${path}`, {
      method,
      headers: {
        accept: "application/json",
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
    return (text === "" ? undefined : JSON.parse(text)) as Answer;
  };
}
