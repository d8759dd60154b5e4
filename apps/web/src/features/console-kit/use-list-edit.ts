import { isFailure } from '../../lib/http.ts'
import { useRefresh } from './list-source.ts'

/**
 * For an edit that begins with a row of a list, whose revision it sends. When somebody else was first the list is asked for again:
 * it shows their changes, and the next edit begins with them.
 * @param key of the list
 */
export function useListEdit(key: string): <Answer>(work: Promise<Answer>) => Promise<Answer> {
  const refresh = useRefresh(key)
  return async (work) => {
    try {
      return await work
    } catch (error) {
      if (isFailure(error, 'EDIT_CONFLICT')) void refresh()
      throw error
    }
  }
}
