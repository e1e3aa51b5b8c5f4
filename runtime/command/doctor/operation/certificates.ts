import { systemClock } from "../../../clock/index.js";
import type { Config } from "../../../config/index.js";
import { dayOf, type Finding } from "../../report.js";
import { ok, problem, warning } from "../finding.js";
import { readCertificate, type TlsPlace } from "./certificate.js";

const check = "certificate";

const dayMs = 86_400_000;
/** Milliseconds before the expiry at which warnings begin; fewer for a short-lived certificate. */
const early = 21 * dayMs;
const shareOfLife = 1 / 5;

/**
 * Checks the certificates of all endpoints that the server and its users connect to with TLS. Unreachable endpoints are
 * reported by other checks.
 */
export async function checkCertificates(config: Config): Promise<readonly Finding[]> {
  const places = tlsPlaces(config);
  const found = await Promise.all(
    places.map(async (place) => {
      const certificate = await readCertificate(place);
      if (certificate === null) return [];
      return [certificateFinding(place, certificate, systemClock.now().getTime())];
    }),
  );
  return found.flat();
}

/** Returns the finding for a certificate at that time (milliseconds since 1970). */
export function certificateFinding(
  place: TlsPlace,
  { from, until }: { readonly from: Date; readonly until: Date },
  now: number,
): Finding {
  const at = `${place.host}:${place.port}`;
  const left = until.getTime() - now;
  const life = until.getTime() - from.getTime();
  const found = `${at}, ${left <= 0 ? "expired" : "valid until"} ${dayOf(until)}`;
  if (left > Math.min(early, life * shareOfLife)) return ok(check, found);
  const starting = { tls: "", postgres: " -starttls postgres", smtp: " -starttls smtp" }[place.by];
  const fix = `renew it (with certbot renew, or as it was issued), then check its end date: openssl s_client -connect ${at}${starting} </dev/null | openssl x509 -noout -enddate`;
  return left <= 0 ? problem(check, found, fix) : warning(check, found, fix);
}

function tlsPlaces(config: Config): readonly TlsPlace[] {
  const { webUrl, mailer, uploads, auth } = config;
  const { storage } = uploads;
  const pages = [
    webUrl,
    ...auth.sites.map(({ url }) => url),
    storage.driver === "s3" ? storage.endpoint : null,
    // Only providers of kind `own`: the others have operators of their services.
    ...auth.providers.filter(({ kind }) => kind === "own").map(({ issuer }) => issuer),
  ];
  const all = [
    ...pages.flatMap((address) => placeOf(address, "https:", { port: 443, by: "tls" })),
    ...placeOf(databaseAddress(config), "postgres:", { port: 5432, by: "postgres" }),
    ...(mailer.driver === "smtp"
      ? [
          ...placeOf(mailer.url, "smtps:", { port: 465, by: "tls" }),
          ...placeOf(mailer.url, "smtp:", { port: 587, by: "smtp" }),
        ]
      : []),
  ];
  const keys = all.map(({ host, port }) => `${host}:${port}`);
  return all.filter((_, at) => keys.indexOf(keys[at] ?? "") === at);
}

/** Returns the database's URL; null if the server connects to the database without TLS. */
function databaseAddress({ database: { url } }: Config): string | null {
  const mode = /[?&]sslmode=([^&#]*)/.exec(url)?.[1];
  const isOn = mode === undefined ? /[?&]ssl=(?:true|1)\b/.test(url) : mode !== "disable";
  return isOn ? url.replace(/^postgresql:/, "postgres:") : null;
}

function placeOf(
  address: string | null,
  protocol: string,
  { port, by }: Pick<TlsPlace, "port" | "by">,
): readonly TlsPlace[] {
  if (address === null || !URL.canParse(address)) return [];
  const url = new URL(address);
  if (url.protocol !== protocol || url.hostname === "") return [];
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  return [{ host, port: url.port === "" ? port : Number(url.port), by }];
}
