import { visits } from '@godwit/contract/table/visits'
import type { Visit } from './visit.ts'

/**
 * A plain link with a short-lived right of its own, so that the browser's own download manager can take it.
 * @param paths none: everything that is shared
 */
export async function downloadFromVisit({ api }: Visit, paths: readonly string[]): Promise<void> {
  const { url } = await api.call(visits.ticket, { body: { paths: [...paths] } })
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  link.click()
}
