import { useEffect } from 'react'
import { useTexts } from '../../../lib/texts.tsx'
import type { ListAddress } from '../../../lib/use-list-address.ts'
import { cappedPage } from '../../../ui/page-items.ts'
import { Pagination } from '../../../ui/pagination.tsx'
import styles from './links.module.css'

export interface LinksPagerProps {
  readonly address: ListAddress
  /** Undefined until the first answer. */
  readonly total: number | undefined
  /** The total is that of another page or filter, until this one is known. */
  readonly isOutdated: boolean
}

/** Turns the pages of a list of links. The page in the address may not exist any more; the last one is shown then. */
export function LinksPager({ address: { page, pageSize, showPage }, total, isOutdated }: LinksPagerProps) {
  const texts = useTexts()
  const capped = total === undefined ? page : cappedPage(page, total, pageSize)
  useEffect(() => {
    if (!isOutdated && capped !== page) showPage(capped)
  }, [isOutdated, page, capped, showPage])
  if (total === undefined || total === 0) return null
  return (
    <div className={styles['pages']}>
      <Pagination label={texts('links.pages')} page={capped} pageSize={pageSize} total={total} onChange={showPage} />
    </div>
  )
}
