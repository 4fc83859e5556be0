### التقارير: أعمار الذمم، والأشهر، والمشترون، والضرائب.

insights = التقارير
insights-period = الفترة
insights-print = طباعة
insights-ageing = أعمار الذمم المدينة
insights-months = الصافي حسب الشهر
insights-taxes = الضرائب
insights-buyers = المبيعات حسب المشتري
# ترتيب المشتري بين الأكبر.
insights-buyer = { $rank }. { $name }
insights-no-buyer = بلا مشترٍ
insights-other-buyers = { $count ->
    [zero] لا مشترين آخرين
    [one] مشترٍ آخر
    [two] مشتريان آخران
    [few] { $count } مشترين آخرين
    [many] { $count } مشتريًا آخر
   *[other] { $count } مشترٍ آخر
  }
insights-scope = من { $from } إلى { $to }
insights-as-of = كما في { $date }
insights-none = لا شيء في هذه الفترة.
insights-keys = تنقّل بين الأعمدة بمفاتيح الأسهم.
insights-chart = { $report }، { $currency }
insights-column = { $name }: { $amount }
insights-save = حفظ { $report } بصيغة CSV
insights-saved = حُفظ الملف
insights-total = المجموع
insights-open = غير المسدد
insights-credit = يُردّ إلى المشترين مبلغ { $amount }.
insights-credit-column = مستحق للمشترين
insights-month = الشهر
insights-invoices = الفواتير
insights-credit-notes = الإشعارات الدائنة
insights-tax-kind = الفئة والنسبة
insights-tax-category = الفئة
insights-tax-rate = النسبة
insights-taxable = المبلغ الخاضع للضريبة
age = أيام التأخر
age-not-due = لم تُستحق
age-1-30 = من 1 إلى 30
age-31-60 = من 31 إلى 60
age-61-90 = من 61 إلى 90
age-over-90 = أكثر من 90
period-month = هذا الشهر
period-last-month = الشهر الماضي
period-quarter = هذا الربع
period-last-quarter = الربع الماضي
period-year = هذه السنة
period-last-year = السنة الماضية
period-twelve = آخر اثني عشر شهرًا
