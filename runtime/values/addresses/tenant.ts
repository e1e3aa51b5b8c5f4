/** Words that stand for many tenants in place of one. */
const many = ["common", "organizations", "consumers"];

/** Microsoft's tenant of all personal accounts, in lower case. */
export const personalTenant = "9188040d-6c67-4c5b-b112-36a304b66dad";

/**
 * Whether users of many tenants, or all users with personal accounts, can sign in: no tenant vouches for another's
 * users.
 */
export function hasManyTenants(tenant: string): boolean {
  const known = tenant.toLowerCase();
  return many.includes(known) || known === personalTenant;
}
