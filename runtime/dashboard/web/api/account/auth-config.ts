export interface AuthConfig {
  readonly registration: boolean;
  readonly password: boolean;
  readonly magicLink: boolean;
  readonly emailCode: boolean;
  readonly passkeys: boolean;
  readonly twoFactor: { readonly authenticator: boolean; readonly email: boolean };
  readonly requireEmailVerification: boolean;
  readonly passwordMinLength: number;
  /** Left out where they are off. */
  readonly deleteOwnAccount?: true;
  readonly registerByEmail?: true;
  /** Left out where the app has none. */
  readonly providers?: readonly Provider[];
}

/** Somebody else with whom people sign in. */
export interface Provider {
  readonly name: string;
  readonly title: string;
}
