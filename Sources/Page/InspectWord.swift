// InspectWord.swift: the texts of the inspector's page that a page about a run does not have, in every language.
//
// Names of UIKit's classes, methods and states are not translated, and neither are facts.
//
// Input     InspectPage; Components, which read the words of the page's language
// Output    text
//
// Sources   invented

/// A text of the inspector's page. PageWord has those that it shares with a page about a run.
package enum InspectWord: String, CaseIterable, Sendable, TranslatedWord {
    case inspector, phone, glass, glassHelp, touchThePhone, nothingTouched, cursorAt, fingersOf, fingersOne
    case fingersPinch, fingersPair, touchables, noTouchables, tapIt, lastTouch, welcomePointer, welcomeSecond
    case welcomeKeys, welcomeControl, nothingDecides, noTimeline, decides, stillHeld, turnCount, turnSums
    case views, tree, layers, layersHelp, spread, turnBack, hidden, frame, alpha, scrolled, control, enabled
    case disabled, highlighted, selected, value, touchesOff, whatIf, whatIfRuns, whatIfHelps, whatIfPrevents
    case whatIfNone, hops, noLatencyYet, latencyIs, callbacks, clear, controlTabs, tabRun, tabScene, tabDials
    case tabRecordings, tabGroup, noFacts, sceneOrApp, scenes, apps, start, startHelp, lookBack, lookBackHelp
    case lookBackNote, backToLive, sceneText, sceneKeys, sceneChanged, sceneStarts, sceneApplied, applyScene
    case revert, errorAt, noDials, dialsHelp, tryAgain, tryAgainAlways, noRecordings, stopPlaying, noGroup
    case groupHelp, faultStop, faultContinue, faultSlow, faultNormal, faultKill, restarts, notAllowed, notOurs
    case needsTwoApps, acts, actApp, actHome, actInterrupt, actResume, actMore, actTerminate, actLaunch
    case actDisplay, actLock, actUnlock, actForeground, actSuspend, actSplit, actOverlay, actAlert
    case actOrientation, actKeyboard, holdStill, goOn, holdHelp, theme, themeAuto, themeLight, themeDark
    case connecting, connected, lost, lostHelp, restarted, messages, dismiss, needsScript

    package var words: (String, String, String) {
        switch self {
        case .inspector: ("Inspector", "インスペクター", "检查器")
        case .phone: ("Phone", "電話", "手机")
        case .glass: ("Screen of the phone", "電話の画面", "手机屏幕")
        case .glassHelp:
            (
                "Arrow keys move a cursor, 10 points a step, with Shift 1 point. Space or Enter puts a finger down for as long as the key is held; arrows drag it meanwhile. Escape cancels it.",
                "矢印キーでカーソルが 10 ポイントずつ動く(Shift で 1 ポイント)。スペースか Enter を押している間、指が触れる。その間の矢印でドラッグ、Escape でキャンセル。",
                "方向键以 10 点为步长移动光标(按住 Shift 为 1 点)。按住空格或 Enter 时手指按下,期间方向键拖动,Escape 取消。"
            )
        case .touchThePhone: ("Touch the phone", "電話に触れる", "触摸手机")
        case .nothingTouched:
            (
                "Touch the phone with the mouse, a finger or a pen. What happens to the touch, and why, appears here.",
                "マウス、指、ペンで電話に触れると、そのタッチに何が起き、なぜかがここに表示される。",
                "用鼠标、手指或触控笔触摸手机,触摸发生了什么、原因何在,都会显示在这里。"
            )
        case .cursorAt: ("{0}, {1}: {2}", "{0}, {1}: {2}", "{0}, {1}:{2}")
        case .fingersOf: ("Fingers of the mouse", "マウスの指", "鼠标的手指")
        case .fingersOne: ("1 finger", "1 本指", "单指")
        case .fingersPinch: ("Pinch", "ピンチ", "捏合")
        case .fingersPair: ("2 together", "2 本並行", "双指同行")
        case .touchables: ("Views to touch", "触れるビュー", "可触摸的视图")
        case .noTouchables: ("No view here takes a touch.", "タッチを受けるビューがない。", "这里没有接受触摸的视图。")
        case .tapIt: ("Tap it", "タップする", "点按")
        case .lastTouch: ("The last touch, and why", "最後のタッチとその理由", "最近一次触摸及原因")
        case .welcomePointer:
            (
                "Mouse, finger or pen: tap, hold, drag, swipe.",
                "マウス、指、ペンで: タップ、長押し、ドラッグ、スワイプ。",
                "鼠标、手指或触控笔:点按、长按、拖动、轻扫。"
            )
        case .welcomeSecond:
            (
                "Alt puts a second finger opposite, to pinch and turn. Alt+Shift moves both together. The buttons below the phone do the same.",
                "Alt で反対側に 2 本目の指を置き、ピンチや回転ができる。Alt+Shift で両方を並行に動かす。電話の下のボタンでも同じ。",
                "按住 Alt 在对侧放第二根手指,可捏合和旋转;Alt+Shift 让两指同向移动。手机下方的按钮作用相同。"
            )
        case .welcomeKeys:
            (
                "Keyboard: Tab to the phone, arrows move a cursor, Space touches for as long as it is held.",
                "キーボード: Tab で電話へ、矢印でカーソルを動かし、スペースを押している間触れる。",
                "键盘:Tab 到手机,方向键移动光标,按住空格即触摸。"
            )
        case .welcomeControl:
            (
                "Under Control: another scene, its thresholds, recordings, and processes to stop and kill.",
                "「操作」では: 別のシーン、しきい値、録画、プロセスの停止と強制終了。",
                "在“控制”中:其他场景、阈值、录制,以及暂停和终止进程。"
            )
        case .nothingDecides:
            (
                "The recognizers that compete for a touch, what each has measured, and its limit.",
                "タッチを争う認識器と、それぞれの測定値と限界。",
                "竞争触摸的识别器、各自的测量值及其限值。"
            )
        case .noTimeline:
            (
                "Fingers, recognizers, held touches and run-loop turns on one time axis.",
                "指、認識器、保留されたタッチ、ランループの周回を一つの時間軸に表示する。",
                "手指、识别器、被扣留的触摸和运行循环显示在同一时间轴上。"
            )
        case .decides: ("What decides", "何が決めるか", "由什么决定")
        case .stillHeld: ("still held", "保留中", "仍被扣留")
        case .turnCount: ("{0} turns since the touch began", "タッチ開始から {0} 周回", "触摸开始以来 {0} 次循环")
        case .turnSums:
            (
                "{0} turns since the touch began; the last took {1}, the longest {2}",
                "タッチ開始から {0} 周回、最後は {1}、最長は {2}",
                "触摸开始以来 {0} 次循环;最近一次 {1},最长 {2}"
            )
        case .views: ("Views", "ビュー", "视图")
        case .tree: ("Tree", "ツリー", "树")
        case .layers: ("Layers", "レイヤー", "图层")
        case .layersHelp:
            (
                "Layers of the views. Drag or use the arrow keys to turn them.",
                "ビューのレイヤー。ドラッグか矢印キーで回転。",
                "视图的图层。拖动或用方向键旋转。"
            )
        case .spread: ("Distance", "間隔", "间距")
        case .turnBack: ("Reset", "戻す", "复位")
        case .hidden: ("hidden", "非表示", "隐藏")
        case .frame: ("frame", "frame", "frame")
        case .alpha: ("alpha", "alpha", "alpha")
        case .scrolled: ("content offset / size", "コンテンツのオフセット / サイズ", "内容偏移 / 大小")
        case .control: ("Control", "操作", "控制")
        case .enabled: ("enabled", "有効", "可用")
        case .disabled: ("disabled", "無効", "不可用")
        case .highlighted: ("highlighted", "ハイライト", "高亮")
        case .selected: ("selected", "選択", "选中")
        case .value: ("value {0}", "値 {0}", "值 {0}")
        case .touchesOff: ("takes no touches", "タッチを受けない", "不接受触摸")
        case .whatIf: ("What if?", "もし…なら?", "如果…呢?")
        case .whatIfRuns:
            (
                "The touch is played again, each time with one change.",
                "変更を一つずつ加え、タッチを再生している。",
                "正在逐一改变条件并重放该触摸。"
            )
        case .whatIfHelps:
            (
                "It would act with one of these changes ({0} plays)",
                "次の変更のどれかで動作する({0} 回再生)",
                "任一改变即可生效(重放 {0} 次)"
            )
        case .whatIfPrevents:
            (
                "Any of these changes would prevent it ({0} plays)",
                "次の変更のどれかで動作しなくなる({0} 回再生)",
                "任一改变都会阻止它(重放 {0} 次)"
            )
        case .whatIfNone:
            (
                "No single change flips the outcome ({0} plays)",
                "一つの変更で結果は変わらない({0} 回再生)",
                "没有单个改变能改变结果(重放 {0} 次)"
            )
        case .hops: ("Each hop of the last touches", "最近のタッチの区間別", "最近触摸的各段")
        case .noLatencyYet: ("No touch has been handled yet.", "まだ処理されたタッチがない。", "尚无已处理的触摸。")
        case .latencyIs:
            (
                "Latency from device to handled: p50 {0}, p99 {1}, {2} events",
                "デバイスから処理完了までの遅延: p50 {0}、p99 {1}、{2} 件",
                "从设备到处理完成的延迟:p50 {0},p99 {1},{2} 个事件"
            )
        case .callbacks: ("Order of callbacks", "コールバックの順序", "回调顺序")
        case .clear: ("Clear", "消去", "清除")
        case .controlTabs: ("What to change", "変更するもの", "要改变的内容")
        case .tabRun: ("Run", "実行", "运行")
        case .tabScene: ("Scene", "シーン", "场景")
        case .tabDials: ("Thresholds", "しきい値", "阈值")
        case .tabRecordings: ("Recordings", "録画", "录制")
        case .tabGroup: ("Processes", "プロセス", "进程")
        case .noFacts: ("Facts appear here as they happen.", "事実が起きた順に現れる。", "事实按发生的顺序显示在这里。")
        case .sceneOrApp: ("Scene or sample app", "シーンまたはサンプルアプリ", "场景或示例应用")
        case .scenes: ("Scenes", "シーン", "场景")
        case .apps: ("Sample apps", "サンプルアプリ", "示例应用")
        case .start: ("Start", "開始", "启动")
        case .startHelp:
            (
                "Starts another group of processes. The page stays.",
                "プロセスグループを新しく起動する。ページはそのまま。",
                "重新启动进程组,页面保持不变。"
            )
        case .lookBack: ("Look back", "振り返る", "回看")
        case .lookBackHelp:
            (
                "Plays the run so far, step by step or in slow motion.",
                "ここまでの実行を、ステップやスローで再生する。",
                "逐步或慢动作播放至今的运行。"
            )
        case .lookBackNote: ("The run so far. The group goes on.", "ここまでの実行。グループは動き続けている。", "至今的运行。进程组仍在继续。")
        case .backToLive: ("Back to live", "ライブに戻る", "返回实时")
        case .sceneText: ("Scene as YAML", "シーンの YAML", "场景 YAML")
        case .sceneKeys:
            (
                "Ctrl+Enter or ⌘+Enter applies. Tab leaves the field.",
                "Ctrl+Enter か ⌘+Enter で適用、Tab で欄を出る。",
                "Ctrl+Enter 或 ⌘+Enter 应用,Tab 离开输入框。"
            )
        case .sceneChanged: ("changed", "変更あり", "已更改")
        case .sceneStarts: ("starting…", "起動中…", "正在启动…")
        case .sceneApplied: ("running", "実行中", "运行中")
        case .applyScene: ("Apply", "適用", "应用")
        case .revert: ("Revert", "元に戻す", "还原")
        case .errorAt: ("Line {0}: {1}", "{0} 行目: {1}", "第 {0} 行:{1}")
        case .noDials:
            (
                "What runs now has no threshold to change. Start a scene.",
                "いま動いているものに変更できるしきい値はない。シーンを開始する。",
                "当前运行的内容没有可改的阈值。请启动一个场景。"
            )
        case .dialsHelp:
            (
                "A change restarts the scene with the value.",
                "変更すると、その値でシーンを新しく起動する。",
                "更改后场景将以新值重新启动。"
            )
        case .tryAgain: ("Try the last touch again", "最後のタッチをもう一度", "再试最近一次触摸")
        case .tryAgainAlways: ("after each change", "変更のたびに", "每次更改后")
        case .noRecordings: ("There are no recordings.", "録画がない。", "没有录制。")
        case .stopPlaying: ("Stop playing", "再生を止める", "停止播放")
        case .noGroup: ("No process has reported yet.", "まだ報告したプロセスがない。", "尚无进程报告。")
        case .groupHelp:
            (
                "Put a finger down, then stop or kill the app: its touches are cancelled.",
                "指を置いたままアプリを停止または終了すると、タッチがキャンセルされる。",
                "按住手指,然后停止或终止应用:触摸会被取消。"
            )
        case .faultStop: ("Stop", "停止", "暂停")
        case .faultContinue: ("Continue", "再開", "继续")
        case .faultSlow: ("Slow", "低速", "变慢")
        case .faultNormal: ("Normal", "通常", "正常")
        case .faultKill: ("Kill", "強制終了", "终止")
        case .restarts: ("restarts: {0}", "再起動: {0}", "重启:{0}")
        case .notAllowed: ("The server does not allow this fault.", "サーバーがこの障害を許可していない。", "服务器不允许此故障。")
        case .notOurs:
            (
                "This group was started elsewhere. It can be touched and observed, but not restarted or disturbed from here.",
                "このグループは別の場所で起動された。触れて観察できるが、再起動や妨害はできない。",
                "此进程组在别处启动。可以触摸和观察,但不能在此重启或干扰。"
            )
        case .needsTwoApps: ("This needs two apps.", "アプリが二つ必要。", "需要两个应用。")
        case .acts: ("Buttons of the phone", "電話のボタン", "手机按键")
        case .actApp: ("App", "アプリ", "应用")
        case .actHome: ("Home", "ホーム", "主屏幕")
        case .actInterrupt: ("Call comes", "着信", "来电")
        case .actResume: ("Resume", "再開", "恢复")
        case .actMore: ("Apps", "アプリの操作", "应用操作")
        case .actTerminate: ("Terminate", "終了", "终止")
        case .actLaunch: ("Launch", "起動", "启动")
        case .actDisplay: ("Display", "画面の点灯", "屏幕开关")
        case .actLock: ("Lock", "ロック", "锁定")
        case .actUnlock: ("Unlock", "ロック解除", "解锁")
        case .actForeground: ("To front", "前面へ", "到前台")
        case .actSuspend: ("Suspend", "一時停止", "挂起")
        case .actSplit: ("Split", "分割", "分屏")
        case .actOverlay: ("Overlay", "重ねる", "叠加")
        case .actAlert: ("Alert", "アラート", "警告框")
        case .actOrientation: ("Rotate", "回転", "旋转")
        case .actKeyboard: ("Keyboard", "キーボード", "键盘")
        case .holdStill: ("Hold", "止める", "定格")
        case .goOn: ("Go on", "続ける", "继续")
        case .holdHelp:
            (
                "Holds what decides, so that it can be read. The phone goes on. The next touch ends it.",
                "読めるように表示を止める。電話は動き続け、次のタッチで再開する。",
                "定格显示以便阅读。手机继续运行,下一次触摸恢复。"
            )
        case .theme: ("Colors", "配色", "配色")
        case .themeAuto: ("Auto", "自動", "自动")
        case .themeLight: ("Light", "ライト", "浅色")
        case .themeDark: ("Dark", "ダーク", "深色")
        case .connecting: ("connecting…", "接続中…", "正在连接…")
        case .connected: ("live", "ライブ", "实时")
        case .lost: ("not connected", "未接続", "未连接")
        case .lostHelp:
            (
                "The connection is lost and the fingers are cancelled. The page connects again by itself; if the inspector was restarted, open the address that it printed.",
                "接続が切れ、指はキャンセルされた。自動で再接続する。インスペクターを起動し直した場合は、表示されたアドレスを開く。",
                "连接已断开,手指已取消。页面会自动重新连接;若重新启动了检查器,请打开它打印的地址。"
            )
        case .restarted: ("The group was restarted.", "グループが新しく起動された。", "进程组已重新启动。")
        case .messages: ("Messages", "メッセージ", "消息")
        case .dismiss: ("Dismiss", "閉じる", "关闭")
        case .needsScript:
            (
                "The inspector is drawn by its own script. `touchline input` touches the group without a page.",
                "インスペクターは自身のスクリプトで描画する。`touchline input` はページなしで触れる。",
                "检查器由自带脚本绘制。`touchline input` 无需页面即可触摸。"
            )
        }
    }
}
