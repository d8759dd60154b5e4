import { LIMITS } from '@godwit/contract/limits'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useId } from 'react'
import { useTexts } from '../lib/texts.tsx'
import { Button, IconButton } from './button.tsx'
import { cappedPage, lastPage, pageItems } from './page-items.ts'
import styles from './pagination.module.css'

export interface PaginationProps {
  /** What is paged, for those who cannot see it. */
  readonly label: string
  readonly page: number
  readonly pageSize: number
  readonly total: number
  readonly onChange: (page: number, pageSize: number) => void
}

/** Pages by number, and how many entries each has. */
export function Pagination({ label, page, pageSize, total, onChange }: PaginationProps) {
  const texts = useTexts()
  const sizeId = useId()
  const last = lastPage(total, pageSize)
  return (
    <nav className={styles['pagination']} aria-label={label} data-testid="pagination">
      <IconButton
        label={texts('pager.previous')}
        icon={<ChevronLeft size={18} aria-hidden="true" />}
        disabled={page <= 1}
        onClick={() => onChange(page - 1, pageSize)}
      />
      <ol className={styles['pages']}>
        {pageItems(page, last).map((item) => (
          <li key={item}>
            {typeof item === 'string' ? (
              <span className={styles['gap']} aria-hidden="true" />
            ) : (
              <Button
                kind="quiet"
                className={styles['page']}
                aria-label={texts('pager.page', { page: item })}
                aria-current={item === page ? 'page' : undefined}
                onClick={() => onChange(item, pageSize)}
              >
                {item}
              </Button>
            )}
          </li>
        ))}
      </ol>
      <IconButton
        label={texts('pager.next')}
        icon={<ChevronRight size={18} aria-hidden="true" />}
        disabled={page >= last}
        onClick={() => onChange(page + 1, pageSize)}
      />
      <label className={styles['size']} htmlFor={sizeId}>
        {texts('pager.size')}
        <select
          id={sizeId}
          value={pageSize}
          onChange={({ target }) => {
            const next = Number(target.value)
            onChange(cappedPage(page, total, next), next)
          }}
        >
          {LIMITS.pageSizes.map((size) => (
            <option key={size} value={size}>
              {size}
            </option>
          ))}
        </select>
      </label>
    </nav>
  )
}
