import type { ReactNode } from 'react'
import { NotLoaded } from './not-loaded.tsx'
import { PageFrame, type PageFrameProps } from './page-frame.tsx'

export interface LoadedPageProps<Value> extends Pick<PageFrameProps, 'title' | 'help' | 'back' | 'isNarrow'> {
  readonly query: { readonly data: Value | undefined; readonly error: unknown; readonly refetch: () => unknown }
  readonly children: (value: Value) => ReactNode
}

/**
 * A page about one object, once it is there; the reason in place of one that does not come.
 * @param isNarrow as the page will be: until then its title stands where it stays. Default: yes, as forms are
 */
export function LoadedPage<Value>({ query, children, isNarrow = true, ...frame }: LoadedPageProps<Value>) {
  const { data } = query
  if (data !== undefined) return children(data)
  return (
    <PageFrame {...frame} isNarrow={isNarrow}>
      <NotLoaded query={query} />
    </PageFrame>
  )
}
