/**
 * Types that a browser executes or opens as a page: files detected or declared as one of them are never stored. The
 * same applies to types that end in `+xml` or begin with `message/` or `multipart/`.
 */
export const browserTypes: ReadonlySet<string> = new Set([
  // Pages, and formats that browsers convert to pages.
  "text/html",
  "text/x-server-parsed-html",
  "application/hta",
  "text/x-component",
  "application/vnd.ms-htmlhelp", // compiled HTML
  "application/x-mimearchive",
  // XML can become a page by a stylesheet or a namespace.
  "application/xml",
  "text/xml",
  "text/xsl",
  "text/mathml",
  "text/vnd.wap.wml",
  "application/xml-dtd",
  "application/xml-external-parsed-entity",
  // All historical types of JavaScript, and of languages that compile to it.
  "text/javascript",
  "application/javascript",
  "application/x-javascript",
  "text/x-javascript",
  "text/ecmascript",
  "application/ecmascript",
  "application/x-ecmascript",
  "text/x-ecmascript",
  "text/javascript1.0",
  "text/javascript1.1",
  "text/javascript1.2",
  "text/javascript1.3",
  "text/javascript1.4",
  "text/javascript1.5",
  "text/jscript",
  "text/livescript",
  "application/node",
  "application/x-ns-proxy-autoconfig",
  "text/vbscript",
  // Programs for browsers and their former plug-ins.
  "application/wasm",
  "application/x-shockwave-flash",
  "application/vnd.adobe.flash.movie",
  "application/x-futuresplash",
  // Extensions, which the browser offers to install when they are opened.
  "application/x-chrome-extension",
  "application/x-google-chrome-extension",
  "application/x-xpinstall",
]);

/** Whether a media type, in lower case and without parameters, is never stored. */
export function isRunByBrowsers(type: string): boolean {
  return browserTypes.has(type) || /^(?:multipart|message)\/|\+xml$/.test(type);
}
