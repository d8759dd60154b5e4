import { Company, productName, useSite } from '../../../features/foundation/site/index.ts'
import { type ActionFacts, type ActionGroup, useActionRegistry } from '../../../lib/actions.tsx'
import { shortcutKeys } from '../../../lib/shortcuts.ts'
import { useStore } from '../../../lib/store.ts'
import { type PortalKey, useTexts } from '../../../lib/texts.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import styles from './shell.module.css'

const GROUPS: readonly ActionGroup[] = ['navigation', 'selection', 'files', 'uploads', 'general']

interface Line {
  readonly id: string
  readonly label: PortalKey
  readonly combos: ReadonlyArray<readonly string[]>
}

/** Stands for any of them. */
const LETTERS = 'letters'

/** Keys of the list itself, which work on a row rather than run an action. */
const LIST_KEYS: Readonly<Partial<Record<ActionGroup, ReadonlyArray<readonly [PortalKey, readonly string[]]>>>> = {
  navigation: [
    ['help.key.move', ['ArrowUp', 'ArrowDown']],
    ['help.key.ends', ['Home', 'End']],
    ['help.key.page', ['PageUp', 'PageDown']],
    ['help.key.letters', [LETTERS]],
  ],
  selection: [
    ['help.key.extend', ['Shift+ArrowDown']],
    ['help.key.move-only', ['Mod+ArrowDown']],
    ['help.key.toggle', ['Mod+Space', 'Space']],
  ],
  files: [['help.key.menu', ['Shift+F10']]],
}

export interface ShortcutSheetProps {
  /** Of all features. */
  readonly actions: readonly ActionFacts[]
  readonly onClose: () => void
}

/** Every key there is, written from the actions of all features, so that none can be forgotten. */
export function ShortcutSheet({ actions, onClose }: ShortcutSheetProps) {
  const texts = useTexts()
  const registry = useActionRegistry()
  const singleKeys = useStore(registry.singleKeys)
  const site = useSite()
  return (
    <Dialog title={texts('help.title')} closeLabel={texts('common.close')} onClose={onClose} width="wide">
      <div className={styles['keys']} data-testid="shortcuts">
        {GROUPS.map((group) => (
          <Group key={group} group={group} actions={actions} />
        ))}
      </div>
      <label className={styles['switch']}>
        <input
          type="checkbox"
          checked={singleKeys}
          onChange={(event) => registry.singleKeys.set(event.target.checked)}
        />
        <span>
          {texts('help.single-keys')}
          <small>{texts('help.single-keys-hint')}</small>
        </span>
      </label>
      <p className={styles['version']} translate="no">
        {`${productName(site, texts)} ${site.soft_version}`}
      </p>
      <Company />
    </Dialog>
  )
}

function linesOf(group: ActionGroup, actions: readonly ActionFacts[]): readonly Line[] {
  const own = (LIST_KEYS[group] ?? []).map(([label, shortcuts]) => ({
    id: label,
    label,
    combos: shortcuts.map((shortcut) => shortcutKeys(shortcut)),
  }))
  const ofFeatures = actions.flatMap(({ name, label, group: each, keys = [] }) =>
    each === group && keys.length > 0 ? [{ id: name, label, combos: keys.map((key) => shortcutKeys(key)) }] : [],
  )
  return [...own, ...ofFeatures]
}

function Group({ group, actions }: { readonly group: ActionGroup; readonly actions: readonly ActionFacts[] }) {
  const texts = useTexts()
  const lines = linesOf(group, actions)
  if (lines.length === 0) return null
  return (
    <section>
      <h3>{texts(`help.group.${group}`)}</h3>
      <dl>
        {lines.map(({ id, label, combos }) => (
          <div key={id}>
            <dt>{texts(label)}</dt>
            <dd className={styles['combos']}>
              {combos.map((keys) => (
                <span key={keys.join('+')} className={styles['combo']}>
                  {keys.map((key) => (
                    <kbd key={key}>{key === LETTERS ? texts('help.letters') : key}</kbd>
                  ))}
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
