import { routes } from '@godwit/contract/table'
import type { GroupEntry } from '@godwit/contract'
import { useQuery } from '@tanstack/react-query'
import { useServices } from '../../../lib/services.tsx'
import { useSpace } from '../spaces/index.ts'

/** The groups of the space that is shown, as they are now; those seen before stay on the screen meanwhile. */
export function useGroups() {
  const { api } = useServices()
  const { spaceId } = useSpace()
  return useQuery({
    queryKey: ['groups', spaceId],
    queryFn: async ({ signal }): Promise<readonly GroupEntry[]> =>
      (await api.call(routes.groups.list, { query: { spaceId } }, { signal })).groups,
  })
}
