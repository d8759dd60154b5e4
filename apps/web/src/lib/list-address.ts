/** What of a list the address names, so that a filtered and sorted page can be shared, reloaded and gone back to. */
export interface ListState {
  readonly page: number
  readonly pageSize: number
  readonly sort: ListSort | undefined
  /** By the name of the filter; '' or absent is off. */
  readonly filters: Readonly<Record<string, string>>
  /** How the list is shown, such as the row that is open, by name. Unlike a filter it does not change which rows there are. */
  readonly view: Readonly<Record<string, string>>
}

export interface ListSort {
  readonly by: string
  readonly order: 'asc' | 'desc'
}

/** What a list offers. */
export interface ListShape {
  readonly pageSizes: readonly number[]
  readonly pageSize: number
  readonly sort?: ListSort
  readonly sortable?: readonly string[]
  /** Names of the filters; none may be `page`, `size`, `sort` or `order`. */
  readonly filters?: readonly string[]
  /** Names of what else the address keeps; under the same rule. */
  readonly view?: readonly string[]
}

type Search = Readonly<Record<string, unknown>>

/** Reads an address; what makes no sense counts as not given. */
export function listStateOf(search: Search, shape: ListShape): ListState {
  const { sortable = [], filters = [], view = [] } = shape
  const by = sortable.find((each) => each === search['sort'])
  return {
    page: Math.max(1, Math.trunc(Number(search['page'])) || 1),
    pageSize: shape.pageSizes.find((each) => String(each) === search['size']) ?? shape.pageSize,
    sort: by === undefined ? shape.sort : { by, order: search['order'] === 'desc' ? 'desc' : 'asc' },
    filters: given(filters, search),
    view: given(view, search),
  }
}

function given(names: readonly string[], search: Search): Readonly<Record<string, string>> {
  const entries = names.map((name) => [name, search[name]] as const)
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => isGiven(entry[1])))
}

function isGiven(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** The address keeps only what differs from a fresh visit. */
export function searchOfList(
  { page, pageSize, sort, filters, view }: ListState,
  shape: ListShape,
): Record<string, string> {
  const isUsualSort = sort?.by === shape.sort?.by && sort?.order === shape.sort?.order
  return {
    ...(page === 1 ? {} : { page: String(page) }),
    ...(pageSize === shape.pageSize ? {} : { size: String(pageSize) }),
    ...(sort === undefined || isUsualSort ? {} : { sort: sort.by, order: sort.order }),
    ...Object.fromEntries(Object.entries({ ...filters, ...view }).filter(([, value]) => value !== '')),
  }
}

/** Another filter shows the first page of what it leaves. */
export function withFilter(state: ListState, name: string, value: string): ListState {
  return { ...state, page: 1, filters: { ...state.filters, [name]: value } }
}
