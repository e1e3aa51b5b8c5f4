/** Words in place of a tenant: people of many tenants sign in. */
const many = ["common", "organizations", "consumers"];

/** The tenant of all personal accounts at Microsoft, in lower case. */
export const personalTenant = "9188040d-6c67-4c5b-b112-36a304b66dad";

/** Whether people of many tenants sign in, or anybody with a personal account: none of them vouches for the others. */
export function hasManyTenants(tenant: string): boolean {
  const known = tenant.toLowerCase();
  return many.includes(known) || known === personalTenant;
}
