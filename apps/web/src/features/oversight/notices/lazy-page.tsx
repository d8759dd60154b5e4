import { lazy, Suspense } from 'react'

const Page = lazy(async () => ({ default: (await import('./notices.page.tsx')).NoticesPage }))

export function NoticesPage() {
  return (
    <Suspense fallback={null}>
      <Page />
    </Suspense>
  )
}
