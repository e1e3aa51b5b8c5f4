import type { MailContent } from "./mail-content.js";

/** An email's content, sender name and greeting. */
export interface Page extends MailContent {
  readonly app: string;
  readonly greeting: string;
}

/**
 * An email's HTML part: a table, the only layout that some mail programs support, with inline styles and no external
 * resources. The dark colors are in a style sheet; a program that drops it and darkens emails itself starts from black
 * on white.
 */
export function htmlOf({ app, subject, greeting, lead, code, link, notes }: Page): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>
:root { color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
body, .page { background: #16181d !important; }
.sheet { background: #22252b !important; }
.ink { color: #f2f3f5 !important; }
.faint { color: #a9aeb8 !important; }
.code { background: #2f333b !important; color: #f2f3f5 !important; }
.button { background: #f2f3f5 !important; color: #16181d !important; }
}
</style>
</head>
<body style="margin:0;padding:0;background:#f3f4f6">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:#f3f4f6">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" class="sheet" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px;background:#ffffff;border-radius:8px">
<tr><td style="padding:32px;font-family:${fonts};font-size:16px;line-height:1.5">
<p class="ink" style="margin:0 0 24px;color:#11131a;font-size:18px;font-weight:600">${escapeHtml(app)}</p>
${paragraph(greeting)}
${paragraph(lead)}
${code === null ? "" : codeBlock(code)}${link === null ? "" : linkBlock(link)}${notes.map(note).join("\n")}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

const fonts = "system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

function paragraph(text: string): string {
  return `<p class="ink" style="margin:0 0 16px;color:#11131a">${escapeHtml(text)}</p>`;
}

function note(text: string): string {
  return `<p class="faint" style="margin:0 0 8px;color:#5b616e;font-size:14px">${escapeHtml(text)}</p>`;
}

/** CSS spaces the digits, so that copying them gives exactly six digits. */
function codeBlock(code: string): string {
  return `<p class="code" style="margin:24px 0;padding:16px;background:#f3f4f6;border-radius:6px;color:#11131a;font-family:ui-monospace,Menlo,Consolas,monospace;font-size:32px;font-weight:700;letter-spacing:8px;text-align:center">${escapeHtml(code)}</p>
`;
}

function linkBlock({
  label,
  address,
}: {
  readonly label: string;
  readonly address: string;
}): string {
  const href = escapeHtml(address);
  return `<p style="margin:24px 0"><a class="button" href="${href}" style="display:inline-block;padding:12px 24px;background:#11131a;border-radius:6px;color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(label)}</a></p>
<p class="faint" style="margin:0 0 4px;color:#5b616e;font-size:14px">Or open this address:</p>
<p style="margin:0 0 24px;font-size:14px;word-break:break-all"><a class="ink" href="${href}" style="color:#11131a">${href}</a></p>
`;
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes text for HTML text and for attributes in double quotes. */
function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}
