import { didYouMean } from "../../../runtime/values/nearest.js";
import { listWordsBriefly } from "../../../runtime/values/text.js";
import type { Descriptor } from "../../descriptor/descriptor.js";
import type { DescriptorIssue } from "../../descriptor/source.js";
import { accounts } from "../names/stored.js";
import { type Link, linksOf } from "../relations.js";
import { issueAt } from "./issue.js";

/** Returns the links in the path `link`, and the resource at its end; null if one of them does not exist. */
export function followLinks(
  descriptor: Descriptor,
  written: string,
  descriptors: readonly Descriptor[],
): {
  readonly links: readonly Link[];
  readonly end: Descriptor | null;
  readonly issues: readonly DescriptorIssue[];
} {
  if (written === "id") return { links: [], end: descriptor, issues: [] };
  const links: Link[] = [];
  let end: Descriptor = descriptor;
  for (const field of written.split(".")) {
    const issue = (message: string, hint: string) => {
      return { links, end: null, issues: [issueAt("link", message, hint)] };
    };
    const link: Link | undefined = linksOf(end).find((one) => one.field === field);
    if (link === undefined) {
      const names = linksOf(end).map((one) => one.field);
      const all =
        names.length === 0
          ? "write id, or add a required link"
          : `its links are ${listWordsBriefly(names)}`;
      return issue(
        `"link" names "${field}", which is not a link of "${end.name}"`,
        didYouMean(field, names) ?? all,
      );
    }
    if (!link.required) {
      const message = `"link" names "${field}" of "${end.name}", which is not required, so a record may have no owner`;
      return issue(message, `add required: true to "${field}"`);
    }
    const { to }: Link = link;
    if (to === accounts) {
      const message = `"link" is "${written}", which is an account and not a group`;
      return issue(message, `for records of one account write owner: ${written}`);
    }
    links.push(link);
    const next = descriptors.find(({ name }) => name === to);
    // A link to a resource that does not exist is reported at its definition.
    if (next === undefined) return { links, end: null, issues: [] };
    end = next;
  }
  return { links, end, issues: [] };
}
