import type { ProviderSettings } from "../../../../config/index.js";
import { hasManyTenants, personalTenant } from "../../../../values/addresses/tenant.js";

type Authority = Pick<ProviderSettings, "issuer" | "tenant">;

/** The part of the metadata's issuer that is replaced by each token's tenant, if several tenants are allowed. */
const placeholder = "{tenantid}";

const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether only accounts of one tenant may sign in. */
export function isOneTenant({ tenant }: Authority): boolean {
  return tenant !== null && !hasManyTenants(tenant);
}

export function metadataAddress({ issuer, tenant }: Authority): string {
  return `${issuer}/${tenant}/v2.0`;
}

/**
 * Whether metadata of that issuer is the tenant's. For a tenant configured by its domain, the
 * issuer contains the tenant's id.
 */
export function metadataIssues(authority: Authority, found: string): boolean {
  const tenant = tenantIn(authority, found);
  if (tenant === null) return false;
  if (!isOneTenant(authority)) return tenant === placeholder || tenant === personalTenant;
  if (tenant.toLowerCase() === authority.tenant?.toLowerCase()) return true;
  return (authority.tenant ?? "").includes(".") && guid.test(tenant) && !hasManyTenants(tenant);
}

/**
 * The issuer that a token with that `tid` must have, given the issuer of the metadata; null for a tenant that may not
 * sign in. Microsoft signs the tokens of all tenants with the same keys.
 */
export function tokenIssuer(authority: Authority, found: string, tid: unknown): string | null {
  if (typeof tid !== "string" || !/^[A-Za-z0-9-]{1,100}$/.test(tid)) return null;
  const tenant = tenantIn(authority, found);
  if (tenant !== placeholder) return tenant === tid ? found : null;
  if (authority.tenant?.toLowerCase() === "organizations" && tid === personalTenant) return null;
  return found.replace(placeholder, tid);
}

function tenantIn({ issuer }: Authority, found: string): string | null {
  const end = "/v2.0";
  if (!found.startsWith(`${issuer}/`) || !found.endsWith(end)) return null;
  const tenant = found.slice(issuer.length + 1, -end.length);
  return tenant === "" || tenant.includes("/") ? null : tenant;
}
