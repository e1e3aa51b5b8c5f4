export interface AuthConfig {
  readonly registration: boolean;
  readonly password: boolean;
  readonly magicLink: boolean;
  readonly emailCode: boolean;
  readonly passkeys: boolean;
  readonly twoFactor: { readonly authenticator: boolean; readonly email: boolean };
  readonly requireEmailVerification: boolean;
  readonly passwordMinLength: number;
  /** Omitted if disabled. */
  readonly deleteOwnAccount?: true;
  readonly registerByEmail?: true;
  /** Omitted if the app has no providers. */
  readonly providers?: readonly Provider[];
}

export interface Provider {
  readonly name: string;
  readonly title: string;
}
