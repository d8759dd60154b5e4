import { routes } from '@godwit/contract/table'
import { useQuery } from '@tanstack/react-query'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import type { SelectChoice } from '../../../ui/select-field.tsx'
import { useDepartmentChoices } from '../console-departments/index.ts'

const PAGE = 50
/** More than anybody would look through in a list. */
const GROUPS_MAX = 1000

/** Groups and departments that members of a directory's groups may join. */
export function useTargets(): readonly SelectChoice[] {
  const texts = useTexts()
  const { api } = useServices()
  const departments = useDepartmentChoices()
  const { data: groups = [] } = useQuery({
    queryKey: ['console', 'groups', 'targets'],
    queryFn: async ({ signal }) => {
      const found: Array<{ readonly id: number; readonly name: string }> = []
      for (let page = 1; found.length < GROUPS_MAX; page += 1) {
        const { rows, total } = await api.call(routes.adminGroups.list, { query: { page, size: PAGE } }, { signal })
        found.push(...rows)
        if (rows.length === 0 || found.length >= total) break
      }
      return found
    },
  })
  return [
    ...groups.map(({ id, name }) => ({ value: `group:${id}`, label: texts('authentication.target.group', { name }) })),
    ...departments.map(({ value, label }) => ({
      value: `department:${value}`,
      label: texts('authentication.target.department', { name: label }),
    })),
  ]
}
