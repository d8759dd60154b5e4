export { chooseSpace, switchStep } from './choose-space.ts'
export { rememberedSpace, rememberSpace, spaceInAddress } from './remembered-space.ts'
export { type SpaceChoice, SpaceProvider, useSpace } from './space-context.ts'
export { spaceName, SpaceSelector } from './space-selector.tsx'
