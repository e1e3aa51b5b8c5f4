import type { Rule } from "../../../../values/access-rule.js";
import type { IdType } from "../../../../values/schema/id-types.js";
import type { SecondMethod } from "./challenge.js";
import type { FieldValues } from "./field-values.js";

export interface User {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: string | null;
  readonly emailVerified: boolean;
  readonly twoFactorEnabled: boolean;
  readonly avatarFile: FileDetails | null;
}

export interface FileDetails {
  readonly key: string;
  /** Signed if the file is private. */
  readonly url?: string;
  readonly name?: string;
  readonly mime?: string;
  readonly size?: number;
  /** The width in pixels; null if the file is not a picture. */
  readonly width?: number | null;
  readonly height?: number | null;
  readonly renditions: Readonly<Record<string, { readonly url: string; readonly width?: number }>>;
}

export interface Me {
  readonly user: User;
  readonly session: { readonly id: string };
  /** Whether the account may manage other accounts. */
  readonly operator: boolean;
  /** The operator who views the app as this account. */
  readonly viewer?: { readonly id: string; readonly name: string };
}

/** A link between an account and a provider. */
export interface Identity {
  readonly id: string;
  readonly provider: string;
  readonly title: string;
  readonly email: string | null;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

/** The response of a sign-in; the token is in the cookie. */
export type SignedIn =
  | { readonly user: { readonly id: string; readonly name: string; readonly email: string } }
  | {
      readonly twoFactor: true;
      readonly challenge: string;
      readonly methods: readonly SecondMethod[];
    };

export type Registered = SignedIn | { readonly emailVerification: true };

export interface Device {
  readonly kind?: "app" | "view";
  readonly id: string;
  readonly name: string | null;
  readonly browser: string | null;
  readonly ipAddress: string | null;
  readonly current: boolean;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  readonly expiresAt: string | null;
}

export interface ServiceToken {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly expiresAt: string | null;
}

/** A token of any account, as operators see it. */
export interface AnyServiceToken extends ServiceToken {
  readonly account: { readonly id: string; readonly email: string };
}

export interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly backedUp: boolean;
}

export type SetUp =
  | {
      readonly method: "totp";
      readonly secret: string;
      readonly uri: string;
      readonly qrCode: string;
    }
  | { readonly method: "email" };

/** A field of a descriptor, and the caller's rights to it. */
export interface Field extends FieldValues {
  readonly name: string;
  /** The field's kind, defined in `kinds/`; a newer server may have further kinds. */
  readonly type: string;
  readonly label?: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly unique?: boolean;
  readonly default?: unknown;
  readonly maxLength?: number;
  readonly minLength?: number;
  /** For strings and texts: whether leading and trailing whitespace is removed. */
  readonly trim?: boolean;
  readonly pattern?: string;
  readonly patternHint?: string;
  readonly format?: string;
  readonly min?: number;
  readonly max?: number;
  readonly integer?: boolean;
  readonly decimals?: number;
  readonly help?: string;
  readonly placeholder?: string;
  readonly values?: readonly string[];
  /** The resource that the field links to. */
  readonly resource?: string;
  /** The type of the linked resource's ids, computed by the dashboard; omitted for UUIDs. */
  readonly idType?: IdType;
  /** The name of the linked record in queries and responses; absent if the caller may not read it there. */
  readonly link?: string;
  /** For a list of links, the name of its records in queries and responses. */
  readonly links?: string;
  readonly inverse?: string;
  readonly onDelete?: string;
  readonly profile?: string;
  readonly alt?: string;
  /** The rules of the field, if it has its own. */
  readonly access?: Readonly<Record<string, Rule>>;
  readonly accept?: readonly string[] | "any";
  readonly readable?: boolean;
  readonly writable?: boolean;
}

export type Can = boolean | "own" | "some" | "maybe";

export interface Resource {
  readonly name: string;
  readonly singular: string;
  readonly label: string;
  readonly path: string;
  readonly fields: readonly Field[];
  /** The type of ids, and whether a new record needs one; omitted for UUIDs. */
  readonly id?: { readonly type: IdType; readonly given: boolean };
  /** `none` if records have no time of creation; otherwise omitted. */
  readonly createdAt?: "none";
  readonly updatedAt?: "none";
  /** The fields and links that name a record; by default the first string. */
  readonly title?: string | readonly string[];
  /** The links whose titles name a record, with the fields of these titles; computed by the dashboard. */
  readonly naming?: readonly { readonly link: string; readonly title: string }[];
  /** The fields of linked records by which lists are filtered; computed by the dashboard. */
  readonly linkedFields?: readonly Field[];
  readonly icon?: string;
  readonly group?: string;
  readonly list?: readonly string[];
  /** The rows of a form; fields not listed follow. */
  readonly form?: readonly (string | readonly string[])[];
  /** Lists of fields whose combined values are unique. */
  readonly unique?: readonly (readonly string[])[];
  /** The link to the account that owns a record, or the path to the members of the owning group. */
  readonly owner?: string | TeamOwner;
  readonly access?: Readonly<Record<string, Rule>>;
  readonly can?: Readonly<
    Record<"list" | "get" | "stats" | "create" | "update" | "delete", Can>
  > & {
    /** Omitted if the resource has no history. */
    readonly history?: Can;
    /** The right to delete permanently; omitted if the resource has no trash. */
    readonly purge?: Can;
  };
  /** Days for which deleted records are stored; omitted if the resource has no trash. */
  readonly trash?: number;
  /** The fields whose words are indexed, with their weights; omitted if the resource has no full-text search. */
  readonly search?: { readonly fields: Readonly<Record<string, string>> };
  /** Whether changes are streamed, and the number of days of the history; omitted if neither is enabled. */
  readonly changes?: boolean | { readonly history?: number };
}

/** A view of a list shared with all who may see it; `query` has the list's parameters. */
export interface SharedView {
  readonly id: string;
  readonly name: string;
  readonly query: string;
  /** A view of a list, shared with all callers who may read the list; `query` has the list's parameters. */
  readonly by: { readonly id: string; readonly name: string } | null;
}

/** A group's members own a record. `link` is the path to the group, or `id`; `through` holds the memberships. */
export interface TeamOwner {
  readonly link: string;
  readonly through: string;
  readonly group: string;
  readonly account: string;
  readonly role?: string;
  readonly founder?: string;
}

export interface Page<Row> {
  readonly data: readonly Row[];
  readonly meta: {
    readonly page: number;
    readonly perPage: number;
    readonly total: number;
    /** Whether more records match than `total`: a search by words stops counting at a limit. */
    readonly more?: boolean;
    readonly totalPages: number;
    /** Tags of the records, in the order of `data`; only if requested. */
    readonly etags?: readonly string[];
    /** The position in the log of changes at the time of the read; only if requested. */
    readonly position?: string;
    /** HTML by id and field, with marks around the words found; only if requested. */
    readonly highlights?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  };
}

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: string | null;
  readonly emailVerified: boolean;
  readonly twoFactorEnabled: boolean;
  readonly disabled: boolean;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly sessions?: readonly Device[];
  readonly identities?: readonly Identity[];
}

export interface AccountEvent {
  readonly id: string;
  readonly at: string;
  readonly kind: string;
  readonly account: { readonly id: string; readonly email: string | null };
  readonly by: { readonly id: string; readonly email: string | null } | null;
  readonly reason?: string;
}

export type Row = Readonly<Record<string, unknown>> & { readonly id: string };
