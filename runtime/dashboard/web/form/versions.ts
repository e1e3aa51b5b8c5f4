import type { ComponentType } from "react";
import type { Field, Resource } from "../api/client/types.js";
import type { Version } from "../api/records/records.js";
import type { Typed } from "./state.js";

/** Three versions of a record to merge: as opened, as stored now, and as edited. */
export interface Versions {
  readonly before: Typed;
  readonly theirs: Version;
  readonly mine: Typed;
}

export interface ConflictProps {
  readonly resource: Resource;
  readonly fields: readonly Field[];
  readonly versions: Versions;
  readonly isBusy: boolean;
  /** The reason why the merged record was not saved. */
  readonly refused: string | null;
  /** `fields` are the fields in which the merged record differs from the stored version. */
  readonly onSave: (mine: Typed, fields: readonly Field[]) => void;
  readonly onBack: () => void;
  readonly onDiscard: () => void;
}

/** The screen that merges versions; passed to the record's screen, because screens do not import each other. */
export type ConflictScreen = ComponentType<ConflictProps>;
