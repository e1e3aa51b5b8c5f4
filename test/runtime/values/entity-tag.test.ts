import { expect, test } from "vitest";
import { contentTag } from "../../../runtime/values/api/content-tag.js";
import { originalTag } from "../../../runtime/values/api/entity-tag.js";
import { changedTags } from "../../support/http/changed-tags.js";

test("the tag of any text is known again after a proxy has named a coding in it", () => {
  for (let at = 0; at < 1_000; at += 1) {
    const tag = contentTag(`photos/${at}.webp`);
    const [weak, ...changed] = changedTags(tag).filter((one) => !one.includes(","));
    expect([weak, ...changed].map((one) => originalTag(String(one)))).toEqual(
      [weak, ...changed].map(() => tag),
    );
  }
});
