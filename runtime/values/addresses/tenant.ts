/** Words in place of a tenant that admit users of many tenants. */
const many = ["common", "organizations", "consumers"];

/** Microsoft's tenant of all personal accounts, in lower case. */
export const personalTenant = "9188040d-6c67-4c5b-b112-36a304b66dad";

/** Whether users of many tenants, or with any personal account, sign in: no tenant vouches for another. */
export function hasManyTenants(tenant: string): boolean {
  const known = tenant.toLowerCase();
  return many.includes(known) || known === personalTenant;
}
