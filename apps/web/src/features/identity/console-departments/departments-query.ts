import { routes } from '@godwit/contract/table'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import type { SelectChoice } from '../../../ui/select-field.tsx'
import { useRight } from '../administration/index.ts'
import { departmentLines } from './department-tree.ts'

/** First part of the key of every query about departments. */
export const DEPARTMENTS = 'departments'

export function useDepartments(isEnabled = true) {
  const { api } = useServices()
  return useQuery({
    queryKey: ['console', DEPARTMENTS],
    enabled: isEnabled,
    queryFn: async ({ signal }) => (await api.call(routes.adminDepartments.list, {}, { signal })).departments,
  })
}

/** Every department with the way to it; none for somebody who may not see them. */
export function useDepartmentChoices(): readonly SelectChoice[] {
  const { locale } = useTexts()
  const { data } = useDepartments(useRight('departments.view'))
  return useMemo(
    () => departmentLines(data ?? [], locale).map(({ id, path }) => ({ value: String(id), label: path.join(' / ') })),
    [data, locale],
  )
}
