import type { ReactNode } from 'react'
import { NotLoaded } from './not-loaded.tsx'
import { PageFrame, type PageFrameProps } from './page-frame.tsx'

export interface LoadedPageProps<Value> extends Pick<PageFrameProps, 'title' | 'back'> {
  readonly query: { readonly data: Value | undefined; readonly error: unknown; readonly refetch: () => unknown }
  readonly children: (value: Value) => ReactNode
}

/** A page about one object, once it is there; the reason in place of one that does not come. */
export function LoadedPage<Value>({ title, back, query, children }: LoadedPageProps<Value>) {
  const { data } = query
  if (data !== undefined) return children(data)
  return (
    <PageFrame title={title} {...(back === undefined ? {} : { back })} isNarrow>
      <NotLoaded query={query} />
    </PageFrame>
  )
}
