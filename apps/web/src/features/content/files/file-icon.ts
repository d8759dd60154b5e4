import { classNames } from '../../../ui/class-names.ts'
import icons from './file-icons.module.css'
import { fileKind } from './file-kinds.ts'

/** Classes that draw the shape of an entry before its content. */
export function fileIcon(name: string, isFolder: boolean): string {
  return classNames(icons['icon'], icons[fileKind(name, isFolder)])
}
