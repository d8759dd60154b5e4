import { routes } from '@godwit/contract/table'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useServices } from '../../../lib/services.tsx'
import type { SelectChoice } from '../../../ui/select-field.tsx'
import { useRight } from '../administration/index.ts'
import { GROUPS } from './groups-source.ts'

/** As the contract bounds a page. */
const PAGE = 50
/** A longer list is no help in a menu; its groups lead to their accounts from their own page. */
const PAGES_MAX = 10

/** Groups by name, for a filter; none for somebody who may not see them. */
export function useGroupChoices(): readonly SelectChoice[] {
  const { api } = useServices()
  const { data } = useQuery({
    queryKey: ['console', GROUPS, 'choices'],
    enabled: useRight('groups.view'),
    async queryFn({ signal }) {
      const found: SelectChoice[] = []
      for (let page = 1; page <= PAGES_MAX; page++) {
        const query = { page, size: PAGE, sort: 'name', order: 'asc' } as const
        const { rows, total } = await api.call(routes.adminGroups.list, { query }, { signal })
        found.push(...rows.map(({ id, name }) => ({ value: String(id), label: name })))
        if (page * PAGE >= total) break
      }
      return found
    },
  })
  return useMemo(() => data ?? [], [data])
}
