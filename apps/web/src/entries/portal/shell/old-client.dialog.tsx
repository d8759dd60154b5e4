import type { SpaceInfo } from '@godwit/contract'
import { useClient } from '../../../features/content/files/index.ts'
import { spaceName, useSpace } from '../../../features/content/spaces/index.ts'
import { useUpdate } from '../../../features/exchange/clients/index.ts'
import { useSite } from '../../../features/foundation/site/index.ts'
import { useAccount } from '../../../features/identity/auth/index.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/dialog.tsx'

interface OldClientDialogProps {
  readonly space: SpaceInfo
  readonly onPick: (space: SpaceInfo) => void
  readonly onClose: () => void
}

/** The connected client is too old for this space: update it, or work in the default space, which it knows. */
export function OldClientDialog({ space, onPick, onClose }: OldClientDialogProps) {
  const texts = useTexts()
  const { clientSpaceVersion } = useSite()
  const { user } = useAccount()
  const { spaceId } = useSpace()
  const client = useClient()
  const update = useUpdate()
  const home = user.spaceInfo.find(({ isDefault }) => isDefault)
  const values = { name: spaceName(space, texts), needed: clientSpaceVersion, present: client?.version ?? '' }
  return (
    <Confirm
      title={texts('spaces.old-client.title')}
      text={texts('spaces.old-client.text', values)}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{texts('common.cancel')}</Button>
          {home !== undefined && home.id !== spaceId && (
            <Button onClick={() => onPick(home)}>{texts('spaces.old-client.default')}</Button>
          )}
          <Button
            kind="solid"
            onClick={() => {
              onClose()
              void update()
            }}
          >
            {texts('client.bar.update-action')}
          </Button>
        </>
      }
    />
  )
}
