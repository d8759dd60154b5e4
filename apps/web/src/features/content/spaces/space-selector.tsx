import type { SpaceInfo } from '@godwit/contract'
import { Boxes, Check, ChevronsUpDown } from 'lucide-react'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { MenuButton, MenuEntries } from '../../../ui/menu.tsx'
import { useAccount } from '../../identity/auth/index.ts'
import { useSpace } from './space-context.ts'
import styles from './spaces.module.css'

export interface SpaceSelectorProps {
  /** Only the icon, on a collapsed menu. */
  readonly isNarrow?: boolean
  readonly onPick: (space: SpaceInfo) => void
}

/** Atop the menu: where one works, and where else one may. */
export function SpaceSelector({ isNarrow = false, onPick }: SpaceSelectorProps) {
  const texts = useTexts()
  const { user } = useAccount()
  const { spaceId } = useSpace()
  const current = user.spaceInfo.find(({ id }) => id === spaceId)
  const name = current === undefined ? '' : spaceName(current, texts)
  const label = texts('spaces.select', { name })
  return (
    <MenuButton
      trigger={
        <Button className={styles['selector']} aria-label={label} title={label} data-testid="space">
          <Boxes size={20} aria-hidden="true" />
          {!isNarrow && (
            <>
              <span className={styles['name']} translate="no">
                {name}
              </span>
              <ChevronsUpDown size={16} aria-hidden="true" />
            </>
          )}
        </Button>
      }
    >
      <MenuEntries
        entries={user.spaceInfo.map((space) => ({
          id: `space-${space.id}`,
          label: spaceName(space, texts),
          icon: space.id === spaceId ? <Check size={18} aria-hidden="true" /> : <span className={styles['blank']} />,
          run: () => onPick(space),
        }))}
      />
    </MenuButton>
  )
}

/** The default space is known by its flag and named in the reader's language; the others have names of their own. */
export function spaceName({ isDefault, spaceName: name }: SpaceInfo, texts: Texts): string {
  return isDefault ? texts('spaces.default') : name
}
