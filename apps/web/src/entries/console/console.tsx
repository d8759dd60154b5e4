import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { Lock, TriangleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import { AdministratorProvider, useAdministratorQuery } from '../../features/identity/administration/index.ts'
import { logOut } from '../../features/identity/auth/index.ts'
import { ActionsProvider } from '../../lib/actions.tsx'
import { isFailure, isTransient } from '../../lib/http.ts'
import { useServices } from '../../lib/services.tsx'
import { useTexts } from '../../lib/texts.tsx'
import { Button } from '../../ui/button.tsx'
import { StatePanel } from '../../ui/state-panel.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { createConsoleRouter } from './router.tsx'
import styles from './shell/shell.module.css'

/** Everything behind the sign-in. */
export function Console() {
  const [client] = useState(
    () =>
      new QueryClient({
        defaultOptions: { queries: { retry: (count, error) => count < 3 && isTransient(error) } },
      }),
  )
  return (
    <QueryClientProvider client={client}>
      <SignedIn />
    </QueryClientProvider>
  )
}

function SignedIn() {
  const { messages } = useServices()
  const { data, error, refetch } = useAdministratorQuery()
  const [router] = useState(createConsoleRouter)
  useEffect(() => () => messages.forget(), [messages])
  if (data === undefined) {
    if (error === null) return <Waiting />
    return isFailure(error, 'PERMISSION_DENIED') ? (
      <NoAdministrator />
    ) : (
      <NoAnswer error={error} onRetry={() => void refetch()} />
    )
  }
  return (
    <AdministratorProvider value={data}>
      <ActionsProvider>
        <RouterProvider router={router} />
      </ActionsProvider>
    </AdministratorProvider>
  )
}

/** Somebody with an account of the portal alone. */
function NoAdministrator() {
  const texts = useTexts()
  const { api, session } = useServices()
  return (
    <main className={styles['alone']} data-testid="no-administrator">
      <StatePanel
        level={1}
        icon={<Lock size={28} />}
        title={texts('console.denied.title')}
        text={texts('console.denied.text', { account: session.get()?.account ?? '' })}
        actions={
          <>
            <Button onClick={() => logOut(api, session, 'logged-out')}>{texts('console.denied.other')}</Button>
            <Button kind="solid" onClick={() => location.assign('/')}>
              {texts('console.to-portal')}
            </Button>
          </>
        }
      />
    </main>
  )
}

function NoAnswer({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const texts = useTexts()
  return (
    <main className={styles['alone']}>
      <StatePanel
        level={1}
        kind="error"
        icon={<TriangleAlert size={28} />}
        title={texts('app.no-account')}
        text={texts.failure(error)}
        reference={texts.reference(error)}
        actions={
          <Button kind="solid" onClick={onRetry}>
            {texts('common.retry')}
          </Button>
        }
      />
    </main>
  )
}
