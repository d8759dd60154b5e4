import { useEffect } from 'react'
import type { ListAddress } from './use-list-address.ts'

/**
 * Leads from a page that is not there any more, because its rows were removed, to the last one that is.
 * @param last the last page there is; undefined until that is known for this address
 */
export function usePageThatIsThere({ page, correctPage }: ListAddress, last: number | undefined): void {
  useEffect(() => {
    if (last !== undefined && page > last) correctPage(last)
  }, [page, last, correctPage])
}
