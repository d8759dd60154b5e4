import { useTexts } from '../../lib/texts.tsx'
import type { ListAddress } from '../../lib/use-list-address.ts'
import { type Filter, FilterBar } from '../../ui/filter-bar.tsx'
import { cappedPage } from '../../ui/page-items.ts'
import { Pagination } from '../../ui/pagination.tsx'

interface BarProps {
  /** Of the list. */
  readonly title: string
  readonly address: ListAddress
}

export interface ListFiltersProps extends BarProps {
  readonly filters: readonly Filter[]
}

/** The filters of a list, as its address has them. */
export function ListFilters({ title, address, filters }: ListFiltersProps) {
  const texts = useTexts()
  if (filters.length === 0) return null
  return (
    <FilterBar
      label={texts('console.filter', { list: title })}
      filters={filters}
      values={address.filters}
      onChange={address.filterBy}
    />
  )
}

export interface ListPagerProps extends BarProps {
  readonly total: number
}

/** Which page of a list is shown, as its address has it. */
export function ListPager({ title, address, total }: ListPagerProps) {
  const texts = useTexts()
  if (total === 0) return null
  return (
    <Pagination
      label={texts('console.pages', { list: title })}
      page={cappedPage(address.page, total, address.pageSize)}
      pageSize={address.pageSize}
      total={total}
      onChange={address.showPage}
    />
  )
}
