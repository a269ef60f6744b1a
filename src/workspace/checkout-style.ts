/**
 * The same for workspaces and rooms, so that a check cannot tell the base from the candidate by it.
 * What is committed inside either is never used.
 */
export const checkoutStyle = { branch: "work", identity: { name: "Stint", email: "stint@localhost" } } as const;
