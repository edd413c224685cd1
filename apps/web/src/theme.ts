import { type CSSVariablesResolver, createTheme } from '@mantine/core';

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: 8,
  defaultRadius: 'md',
  cursorType: 'pointer',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  headings: {
    fontWeight: '650',
    sizes: { h1: { fontSize: '1.6rem' }, h2: { fontSize: '1.15rem' } },
  },
});

/** Mantine's own greys and reds are too pale for WCAG AA. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#565e66',
    '--mantine-color-placeholder': '#6a727a',
    '--mantine-color-error': '#b02a2a',
    '--mantine-color-anchor': '#364fc7',
  },
  dark: {
    '--mantine-color-dimmed': '#adb5bd',
    '--mantine-color-placeholder': '#99a1a9',
    '--mantine-color-error': '#ffa8a8',
    '--mantine-color-anchor': '#a5b8ff',
  },
});
