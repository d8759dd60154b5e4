import { FolderX, TriangleAlert } from 'lucide-react'
import { useTabTitle } from '../../../features/foundation/site/index.ts'
import { logOut } from '../../../features/identity/auth/index.ts'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { StatePanel } from '../../../ui/state-panel.tsx'

export interface AccountFaultProps {
  readonly isWithoutSpace: boolean
  readonly error?: unknown
  readonly onRetry: () => void
}

/** Shown instead of the portal when the account has no space or could not be loaded. */
export function AccountFault({ isWithoutSpace, error, onRetry }: AccountFaultProps) {
  const texts = useTexts()
  const { api, session } = useServices()
  const title = texts(isWithoutSpace ? 'files.no-space.title' : 'app.no-account')
  useTabTitle(title)
  return (
    <main>
      <StatePanel
        level={1}
        kind={isWithoutSpace ? 'plain' : 'error'}
        icon={isWithoutSpace ? <FolderX size={28} /> : <TriangleAlert size={28} />}
        title={title}
        text={isWithoutSpace ? texts('files.no-space.text') : texts.failure(error)}
        reference={isWithoutSpace ? undefined : texts.reference(error)}
        actions={
          <>
            <Button kind="solid" onClick={onRetry}>
              {texts('common.retry')}
            </Button>
            <Button onClick={() => logOut(api, session, 'logged-out')}>{texts('account.logout')}</Button>
          </>
        }
      />
    </main>
  )
}
