import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { onMounted, watch } from 'vue';
import { useRoute } from 'vitepress';
import ApiReference from './ApiReference.vue';
import { showOwnAddress } from './own-address.ts';
import './site.css';

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('api', ApiReference);
  },
  setup() {
    const route = useRoute();
    onMounted(() => {
      watch(() => route.path, showOwnAddress, { immediate: true, flush: 'post' });
    });
  },
} satisfies Theme;
