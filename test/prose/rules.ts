/** A turn of phrase that stops a native reader, and what to write instead. Texts in quotation marks and code are exempt. */
export interface Rule {
  readonly pattern: RegExp;
  readonly instead: string;
}

export const rules: readonly Rule[] = [
  {
    pattern: /(?<!\byour )\bown (?:code|routes?|mails?)\b/i,
    instead: "app code, app routes, mail",
  },
  {
    pattern: /\b(?:nobody(?!, (?:public\b|or a list\b))|somebody|no one|someone)\b/i,
    instead: "the caller, an account, a reader …",
  },
  { pattern: /\b(?:those|everyone|everybody) who\b/i, instead: "callers who, accounts with" },
  { pattern: /\bwhoever\b/i, instead: "the person, caller or program" },
  {
    pattern: /\b(?:is|are|was|were) told\b|\btells? of\b|\blearns? of\b/i,
    instead: "is notified, reports, detects",
  },
  { pattern: /\b(?:says?|said|say) so\b/i, instead: "reports it, logs it, warns" },
  { pattern: /\bfor good\b/i, instead: "permanently" },
  {
    pattern: /\b(?:is|are|was|were|has|have|be) gone\b/i,
    instead: "no longer exists, was removed",
  },
  { pattern: /\banew\b/i, instead: "again, rebuild, a new one" },
  { pattern: /\bof (?:its|their) own\b/i, instead: "its own …, a separate …" },
  {
    pattern: /\b(?:null|undefined|false|true|empty|none|zero|omitted|refused|ignored) where\b/i,
    instead: "if",
  },
  { pattern: /\b(?:that|however) many\b/i, instead: "the number, any number of" },
  { pattern: /\bbeforehand\b/i, instead: "before" },
  {
    pattern: /\btried again\b|\b(?:first|last|next|each|every|one|a|its) try\b|\btries of\b/i,
    instead: "retried, attempt",
  },
  { pattern: /\banswers? (?:a|the) function\b/i, instead: "returns a function" },
  { pattern: /\bhalf a character\b|\bno Unicode\b/i, instead: "an unpaired surrogate" },
  { pattern: /\bby hand\b/i, instead: "manually, handwritten" },
  { pattern: /\b(?:comes?|came) to (?=[.;,]|$)/i, instead: "the outcome" },
  {
    pattern: /(?<!\b(?:there|it|this|that|which) )\b(?:is|are) no (?!longer\b|more\b)/i,
    instead: "is not a, does not count as",
  },
  { pattern: /\b(?:is|are|were) there (?:once|twice)\b/i, instead: "is repeated, appears twice" },
  { pattern: /\bgives? up its turn\b|\bits turn\b/i, instead: "queue, slot" },
];

/** Words of a sentence in pages and doc comments. */
export const longestSentence = 30;

/** Verbs with which the subject of a commit begins. */
export const commitVerbs = [
  "Add",
  "Fix",
  "Remove",
  "Rename",
  "Move",
  "Speed up",
  "Document",
  "Test",
];

/** Characters of a commit's subject. */
export const longestSubject = 72;
