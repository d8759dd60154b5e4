/** As the contract bounds them. */
export const MEMBERS_PER_CALL = 1000

/** Sends the ids of members in as many calls as it takes. @returns how many were changed by all of them */
export async function inCalls(
  ids: readonly string[],
  send: (userIds: string[]) => Promise<{ readonly members: number }>,
): Promise<number> {
  let changed = 0
  for (let at = 0; at < ids.length; at += MEMBERS_PER_CALL) {
    changed += (await send(ids.slice(at, at + MEMBERS_PER_CALL))).members
  }
  return changed
}
