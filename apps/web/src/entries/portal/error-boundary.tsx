import { Component, type ReactNode } from 'react'
import { useTexts } from '../../lib/texts.tsx'
import { Button } from '../../ui/button.tsx'
import { CardPage } from '../../ui/card-page.tsx'

/** A render failure shows a page with a refresh button (document 1, section 8). React itself reports the error to the console. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, { readonly hasFailed: boolean }> {
  override readonly state = { hasFailed: false }

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true }
  }

  override render(): ReactNode {
    return this.state.hasFailed ? <CrashPage /> : this.props.children
  }
}

/** Also what the router shows: its own page speaks English to everyone. */
export function CrashPage() {
  const texts = useTexts()
  return (
    <CardPage title={texts('app.crash.title')} lead={texts('app.crash.text')}>
      <Button kind="solid" size="large" onClick={() => location.reload()}>
        {texts('app.crash.refresh')}
      </Button>
    </CardPage>
  )
}
