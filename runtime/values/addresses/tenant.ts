/** Names that Microsoft accepts in place of a tenant, which include many tenants. */
const many = ["common", "organizations", "consumers"];

/** Microsoft's tenant of all personal accounts, in lower case. */
export const personalTenant = "9188040d-6c67-4c5b-b112-36a304b66dad";

/**
 * Whether users of several tenants, or all personal accounts, can sign in: one tenant cannot vouch for another's users.
 */
export function hasManyTenants(tenant: string): boolean {
  const known = tenant.toLowerCase();
  return many.includes(known) || known === personalTenant;
}
