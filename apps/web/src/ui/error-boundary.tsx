import { TriangleAlert } from 'lucide-react'
import { Component, type ReactNode } from 'react'
import { MissingPart } from '../lib/load-part.ts'
import { useTexts } from '../lib/texts.tsx'
import { Button } from './button.tsx'
import { CardPage } from './card-page.tsx'
import { StatePanel } from './state-panel.tsx'

interface Failed {
  readonly failure: { readonly error: unknown } | undefined
}

/** A render failure shows a page with a refresh button. React itself reports the error to the console. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, Failed> {
  override readonly state: Failed = { failure: undefined }

  static getDerivedStateFromError(error: unknown): Failed {
    return { failure: { error } }
  }

  override render(): ReactNode {
    const { failure } = this.state
    if (failure === undefined) return this.props.children
    return <CrashPage error={failure.error} reset={() => this.setState({ failure: undefined })} />
  }
}

/** Around one part of a page, which stays without it. */
export class PartBoundary extends ErrorBoundary {
  override render(): ReactNode {
    const { failure } = this.state
    if (failure === undefined) return this.props.children
    return <CrashPanel level={2} error={failure.error} reset={() => this.setState({ failure: undefined })} />
  }
}

export interface CrashProps {
  readonly error: unknown
  /** Draws again what failed. */
  readonly reset: () => void
}

/** In place of everything. What only did not arrive is asked for again; else the page is loaded anew. */
export function CrashPage(props: CrashProps) {
  const { title, text, action, run } = useWayOut(props)
  return (
    <CardPage title={title} lead={text}>
      <Button kind="solid" size="large" onClick={run}>
        {action}
      </Button>
    </CardPage>
  )
}

/** In place of one page of the portal; the menu around it still works. */
export function CrashPanel({ level = 1, ...props }: CrashProps & { readonly level?: 1 | 2 }) {
  const { title, text, action, run } = useWayOut(props)
  return (
    <StatePanel
      level={level}
      kind="error"
      icon={<TriangleAlert size={28} />}
      title={title}
      text={text}
      actions={
        <Button kind="solid" onClick={run}>
          {action}
        </Button>
      }
    />
  )
}

function useWayOut({ error, reset }: CrashProps) {
  const texts = useTexts()
  if (error instanceof MissingPart) {
    return { title: texts('app.part.title'), text: texts('app.part.text'), action: texts('common.retry'), run: reset }
  }
  const run = (): void => location.reload()
  return { title: texts('app.crash.title'), text: texts('app.crash.text'), action: texts('app.crash.refresh'), run }
}
