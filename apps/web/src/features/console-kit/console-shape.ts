import { LIMITS } from '@godwit/contract/limits'
import type { ListShape } from '../../lib/list-address.ts'
import { VIEW_NAMES } from './list-view.ts'

/** The shape of a console list with these filters. */
export function consoleShape(shape: Pick<ListShape, 'filters' | 'sort' | 'sortable'>): ListShape {
  return { ...shape, pageSizes: LIMITS.pageSizes, pageSize: LIMITS.pageSizeDefault, view: VIEW_NAMES }
}
