import { routes } from '@godwit/contract/table'
import { LIMITS } from '@godwit/contract/limits'
import { useQuery } from '@tanstack/react-query'
import { useServices } from '../../../lib/services.tsx'
import { nameOfSpace } from '../../../lib/space-name.ts'
import { useTexts } from '../../../lib/texts.tsx'
import type { SelectChoice } from '../../../ui/select-field.tsx'
import { useRight } from '../administration/index.ts'

/** The spaces of the site to choose from; the default one alone for whoever may not see the others. Undefined until they are known. */
export function useSpaceChoices(): readonly SelectChoice[] | undefined {
  const texts = useTexts()
  const { api } = useServices()
  const isAllowed = useRight('spaces.view')
  const { data } = useQuery({
    queryKey: ['console', 'spaces', 'choices'],
    enabled: isAllowed,
    queryFn: async ({ signal }) => (await api.call(routes.adminSpaces.list, {}, { signal })).spaces,
  })
  const spaces = isAllowed ? data : [{ id: LIMITS.defaultSpaceId, name: '' }]
  return spaces?.map((space) => ({ value: String(space.id), label: nameOfSpace(space, texts) }))
}
