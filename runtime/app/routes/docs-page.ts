/**
 * Returns the documentation page. Its URLs are relative, so that it works below any path; `folder` is the path of its
 * files, relative to the page.
 */
export const docsPage = (folder: "docs/" | ""): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>API reference</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="${folder}swagger-ui.css">
  </head>
  <body class="swagger-ui">
    <form id="ask" class="wrapper" hidden>
      <h2>Token</h2>
      <p>Reading the document needs an access token. The page keeps the token until it is closed.</p>
      <p id="refused" role="alert"></p>
      <label>Token <input id="token" type="password" autocomplete="off" required></label>
      <button class="btn" type="submit">Show</button>
    </form>
    <div id="docs"></div>
    <script src="${folder}swagger-ui-bundle.js"></script>
    <script src="${folder}page.js"></script>
  </body>
</html>
`;

/** Loads the document, with a token if it requires one, and displays it. The token is stored in memory only. */
export const docsScript = `"use strict";
const source = new URL("../openapi.json", document.currentScript.src);
const part = (id) => document.getElementById(id);

async function open(token) {
  const headers = token === null ? {} : { authorization: "Bearer " + token };
  const answer = await fetch(source, { headers });
  if (answer.status === 401) return false;
  if (!answer.ok) throw new Error("The document cannot be read: " + answer.status);
  const spec = await answer.json();
  document.title = spec.info.title;
  part("ask").hidden = true;
  const ui = SwaggerUIBundle({
    spec,
    dom_id: "#docs",
    docExpansion: "none",
    validatorUrl: null,
    persistAuthorization: false,
    onComplete: () => {
      if (token !== null) ui.preauthorizeApiKey("bearerAuth", token);
    },
  });
  return true;
}

function ask(refused) {
  part("refused").textContent = refused;
  part("ask").hidden = false;
  part("token").focus();
}

async function show(token) {
  try {
    if (!(await open(token))) ask(token === null ? "" : "This token is not valid.");
  } catch (error) {
    ask(error.message);
  }
}

part("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  void show(part("token").value.trim());
});
void show(null);
`;
