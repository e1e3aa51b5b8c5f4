import type { Rule } from "../../../../values/access-rule.js";
import type { SecondMethod } from "./challenge.js";

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
  readonly name?: string;
  readonly mime?: string;
  readonly size?: number;
  readonly renditions: Readonly<Record<string, { readonly url: string }>>;
}

export interface Me {
  readonly user: User;
  readonly session: { readonly id: string };
  /** Whether the account may manage others. */
  readonly operator: boolean;
}

export interface AuthConfig {
  readonly registration: boolean;
  readonly password: boolean;
  readonly magicLink: boolean;
  readonly emailCode: boolean;
  readonly passkeys: boolean;
  readonly twoFactor: { readonly authenticator: boolean; readonly email: boolean };
  readonly requireEmailVerification: boolean;
  readonly passwordMinLength: number;
}

/** The answer of a sign-in; the token is in the cookie. */
export type SignedIn =
  | { readonly user: { readonly id: string; readonly name: string; readonly email: string } }
  | {
      readonly twoFactor: true;
      readonly challenge: string;
      readonly methods: readonly SecondMethod[];
    };

export type Registered = SignedIn | { readonly emailVerification: true };

export interface Device {
  readonly id: string;
  readonly name: string | null;
  readonly browser: string | null;
  readonly ipAddress: string | null;
  readonly current: boolean;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  readonly expiresAt: string | null;
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

/** The generator's names for the kinds of fields. */
export type KindName =
  | "string"
  | "text"
  | "number"
  | "boolean"
  | "enum"
  | "date"
  | "timestamp"
  | "belongsTo"
  | "image"
  | "file";

/** A field of a descriptor, and what the caller may do with it. */
export interface Field {
  readonly name: string;
  readonly type: KindName;
  readonly label?: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly unique?: boolean;
  readonly default?: unknown;
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly min?: number;
  readonly max?: number;
  readonly integer?: boolean;
  readonly decimals?: number;
  /** The text below the input, and the one in it while it is empty. */
  readonly help?: string;
  readonly placeholder?: string;
  /** The values of an enum. */
  readonly values?: readonly string[];
  /** The resource that a link leads to. */
  readonly resource?: string;
  /** The name of the linked record in queries and their answers; none where the caller may not read it there. */
  readonly link?: string;
  readonly inverse?: string;
  readonly onDelete?: string;
  readonly profile?: string;
  /** The rules of the field, where it has its own. */
  readonly access?: Readonly<Record<string, Rule>>;
  readonly accept?: readonly string[];
  readonly readable?: boolean;
  readonly writable?: boolean;
}

export type Can = boolean | "own" | "maybe";

export interface Resource {
  readonly name: string;
  readonly singular: string;
  readonly label: string;
  readonly path: string;
  readonly fields: readonly Field[];
  /** The string field that names a record; else the first string does. */
  readonly title?: string;
  /** The links whose titles name a record without a text of its own; the dashboard finds them out. */
  readonly naming?: readonly { readonly link: string; readonly title: string }[];
  readonly icon?: string;
  readonly group?: string;
  readonly list?: readonly string[];
  /** The rows of a form; fields that it does not name follow. */
  readonly form?: readonly (string | readonly string[])[];
  /** Lists of fields whose values only one record may have together. */
  readonly unique?: readonly (readonly string[])[];
  readonly owner?: string;
  readonly access?: Readonly<Record<string, Rule>>;
  readonly can?: Readonly<Record<"list" | "get" | "stats" | "create" | "update" | "delete", Can>>;
}

export interface Page<Row> {
  readonly data: readonly Row[];
  readonly meta: {
    readonly page: number;
    readonly perPage: number;
    readonly total: number;
    readonly totalPages: number;
    /** Averages of all records, in the order of `data`; where they were requested. */
    readonly etags?: readonly string[];
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
}

export interface AccountEvent {
  readonly id: string;
  readonly at: string;
  readonly kind: string;
  readonly account: { readonly id: string; readonly email: string | null };
  readonly by: { readonly id: string; readonly email: string | null } | null;
}

export type Row = Readonly<Record<string, unknown>> & { readonly id: string };
